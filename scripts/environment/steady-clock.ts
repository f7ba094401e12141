/**
 * Runs in a page before its own code: makes its clock advance by the same time with each frame, however long the frame
 * takes, and takes WebGPU away. A software GPU simulates faster on the CPU and draws faster with WebGL.
 *
 * @param frame ms
 */
export function drawSteadily(frame: number): void {
  Reflect.deleteProperty(Navigator.prototype, "gpu");
  const request = requestAnimationFrame.bind(window);
  let now = 0;
  let last = 0;
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      if (time !== last) now += frame;
      last = time;
      callback(now);
    });
  performance.now = () => now;
}
