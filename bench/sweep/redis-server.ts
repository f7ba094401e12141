import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { connect } from "./queue";

/** Whether this machine has the server. */
export const hasRedisServer = (): boolean => spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of its own: on a free port of this machine, with its data in a folder that goes with it. */
export class RedisServer {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(fs.mkdtempSync(path.join(os.tmpdir(), "pliant-redis-")), await freePort());
    await server.run();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Kills the server, as a machine that loses its power does, and starts it on the same data. */
  async restart(): Promise<void> {
    await this.kill();
    await this.run();
  }

  /** Ends it, and removes its data. */
  async stop(): Promise<void> {
    await this.kill();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private async run(): Promise<void> {
    const own = ["--bind", "127.0.0.1", "--port", String(this.port), "--dir", this.folder];
    const data = ["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""];
    this.process = spawn("redis-server", [...own, ...data], { stdio: "ignore" });
    for (let tries = 0; ; tries++) {
      try {
        const client = await connect(this.url);
        client.disconnect();
        return;
      } catch (error) {
        if (tries === 100 || this.process.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  private async kill(): Promise<void> {
    const process = this.process;
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return;
    const end = once(process, "exit");
    process.kill("SIGKILL");
    await end;
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
