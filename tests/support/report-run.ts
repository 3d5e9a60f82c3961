import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Says loudly which tests did not run and why; in CI a test that did not run is a failure. Names those that passed at the
 * second attempt only. Ends with one plain line of counts.
 */
export default class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => cases.filter((test) => test.result().state === state).length;
    const again = cases.filter((test) => test.result().state === 'passed' && test.diagnostic()?.flaky);
    if (again.length > 0) console.error(`\nPASSED AT THE SECOND ATTEMPT ONLY: ${again.length} tests`);
    for (const test of again) {
      console.error(`  ${test.module.relativeModuleId} > ${test.fullName}`);
      for (const { message } of test.result().errors ?? []) console.error(`    ${message}`);
    }
    const skipped = cases.filter((test) => test.result().state === 'skipped');
    for (const [why, tests] of groupByReason(skipped)) {
      console.error(`\nNOT RUN (${why}): ${tests.length} tests`);
      for (const test of tests) console.error(`  ${test.module.relativeModuleId} > ${test.fullName}`);
    }
    if (skipped.length > 0 && process.env.CI) {
      console.error('\nIn CI every test must run: skipped tests are failures.');
      process.exitCode = 1;
    }
    console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${skipped.length} skipped`);
  }
}

function groupByReason(tests: readonly TestCase[]): Map<string, TestCase[]> {
  const groups = new Map<string, TestCase[]>();
  for (const test of tests) {
    const result = test.result();
    const why = (result.state === 'skipped' ? result.note : undefined) ?? 'no reason given';
    groups.set(why, [...(groups.get(why) ?? []), test]);
  }
  return groups;
}
