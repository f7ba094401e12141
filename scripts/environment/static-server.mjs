// A small HTTP server for a folder of built files. WebGPU needs a secure context; localhost counts as one.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
  ".env": "application/octet-stream",
};

/**
 * Serves a folder on 127.0.0.1.
 *
 * @param {string} folder
 * @param {number} [port] 0 for any free one
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>} rejects if the port is taken
 */
export function serveFolder(folder, port = 0) {
  const root = path.resolve(folder);
  const server = http.createServer((request, response) => {
    const file = fileFor(root, request.url ?? "/");
    if (file === FOLDER) return answer(response, 301, "see the folder", { Location: withSlash(request.url ?? "/") });
    if (request.method !== "GET" && request.method !== "HEAD") return answer(response, 405, "method not allowed");
    if (file === undefined) return answer(response, 404, "not found");
    response.writeHead(200, {
      "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream",
      "Content-Length": fs.statSync(file).size,
      "Cache-Control": "no-store",
    });
    if (request.method === "HEAD") response.end();
    else fs.createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      const chosen = typeof address === "object" && address ? address.port : port;
      const close = () =>
        new Promise((done) => {
          server.close(() => done());
          server.closeAllConnections();
        });
      resolve({ url: `http://localhost:${chosen}/`, port: chosen, close });
    });
  });
}

function answer(response, status, text, headers = {}) {
  response.writeHead(status, { "Content-Type": "text/plain", ...headers });
  response.end(text);
}

/** Stands for a folder whose URL lacks the slash at its end: relative links of its page would miss. */
const FOLDER = Symbol("folder");

function withSlash(url) {
  const { pathname, search } = new URL(url, "http://localhost");
  return `${pathname}/${search}`;
}

/** The file that a URL names, or undefined if there is none inside the folder. */
function fileFor(root, url) {
  let name;
  try {
    name = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  const file = path.join(root, path.normalize(name));
  if (file !== root && !file.startsWith(root + path.sep)) return undefined;
  const isFolder = fs.existsSync(file) && fs.statSync(file).isDirectory();
  const page = isFolder ? path.join(file, "index.html") : file;
  if (isFolder && !name.endsWith("/") && fs.existsSync(page)) return FOLDER;
  return fs.existsSync(page) && fs.statSync(page).isFile() ? page : undefined;
}
