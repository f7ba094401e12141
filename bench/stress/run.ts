import { Judge } from "./judge";
import { Random } from "./random";
import type { Family, SceneData } from "./scene";
import { subjectOf, type Subject } from "./subject";

/** A frame that takes longer counts as slow [ms of processor time]. */
const SLOW = 250;
/** A scene that takes longer is cut off [ms of processor time, so that a busy machine plays as many frames]. */
const PATIENCE = 20_000;

export type Backend = "cpu" | "webgpu";

/** A scene that is to be played. */
export interface Task {
  /** its name */
  readonly family: string;
  readonly seed: number;
  readonly backend: Backend;
}

export interface Result extends Task {
  /** the first broken law; undefined if none was */
  readonly broken: string | undefined;
  readonly frames: number;
  readonly slowFrames: number;
  /** it was cut off because it took too long */
  readonly isCut: boolean;
}

/** The scene of a seed. */
export const drawScene = (family: Family, seed: number): SceneData => family.draw(new Random(`${family.name} ${seed}`));

/** The command that replays one scene. */
export const replayOf = ({ family, seed, backend }: Task): string =>
  `npm run stress -- --family ${family} --seed ${seed}${backend === "webgpu" ? " --backend webgpu" : ""}`;

/** Plays the scene of a seed, until a law is broken. */
export async function play(family: Family, seed: number, gpu?: GPU): Promise<Result> {
  const counted = { frames: 0, slowFrames: 0, isCut: false };
  let subject: Subject | undefined;
  const result = (broken?: string): Result => ({
    family: family.name,
    seed,
    backend: gpu ? "webgpu" : "cpu",
    broken: broken && `frame ${counted.frames}: ${broken}`,
    ...counted,
  });
  try {
    const data = drawScene(family, seed);
    subject = await subjectOf(data, gpu);
    return result(await judged(subject, data, gpu ? 5 : 1, counted));
  } catch (error) {
    return result(`throws ${String(error)}`);
  } finally {
    subject?.dispose();
  }
}

/** @param every number of frames from one check to the next */
async function judged(
  subject: Subject,
  data: SceneData,
  every: number,
  counted: { frames: number; slowFrames: number; isCut: boolean },
): Promise<string | undefined> {
  const judge = new Judge(data, await subject.read());
  const begin = worked();
  while (counted.frames < data.frames) {
    const before = worked();
    await subject.step();
    counted.frames++;
    if (worked() - before > SLOW) counted.slowFrames++;
    const isLast = counted.frames === data.frames;
    if (!isLast && counted.frames % every !== 0) continue;
    const reading = await subject.read();
    const broken = judge.look(reading, counted.frames * data.timeStep) ?? (isLast ? judge.atEnd(reading) : undefined);
    if (broken !== undefined) return broken;
    if (!isLast && worked() - begin > PATIENCE) {
      counted.isCut = true;
      break;
    }
  }
  return subject.frozen();
}

/** Processor time of this process [ms]. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
