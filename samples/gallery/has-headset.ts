/** Whether the browser can show scenes in a headset. */
export async function hasHeadset(): Promise<boolean> {
  return (await navigator.xr?.isSessionSupported("immersive-vr").catch(() => false)) ?? false;
}
