import { TestRunner, type RunnerTask, type RunnerTestFile, type RunnerTestSuite, type VitestTestRunner } from "vitest";
import { isLeftOut } from "../scripts/heavy.mjs";

/** The name of a test as reports have it: those of its suites first. */
const fullName = ({ suite, name }: RunnerTask): string => (suite === undefined ? name : `${fullName(suite)} ${name}`);

/**
 * Leaves tests out as `PLIANT_HEAVY` says, before anything runs: a suite without tests that are left prepares nothing, where a skip in a hook
 * would come after the suite has built its page and started its browser.
 */
export default class ChoosingRunner extends TestRunner {
  async onBeforeRunFiles(files: RunnerTestFile[]): Promise<void> {
    const left: RunnerTask[] = [];
    const leaveOut = (task: RunnerTask): void => {
      task.mode = "skip";
      left.push(task);
    };
    const visit = (suite: RunnerTestSuite): void => {
      for (const task of suite.tasks)
        if (task.type === "suite") visit(task);
        else if (isLeftOut(process.env.PLIANT_HEAVY, suite.file.filepath, fullName(task))) leaveOut(task);
      if (suite.tasks.length > 0 && suite.tasks.every(({ mode }) => mode === "skip")) leaveOut(suite);
    };
    if (process.env.PLIANT_HEAVY) files.forEach(visit);
    // Tests of a suite that is left out are not visited again.
    const runner = this as Pick<VitestTestRunner, "onTaskUpdate">;
    await runner.onTaskUpdate?.(
      left.map(({ id, meta }) => [id, { state: "skip" }, meta]),
      [],
    );
  }
}
