/** A command of the guides that a test cannot run; `bash -n` checks it alone. */
interface NotRun {
  readonly page: string;
  /** How the command starts. */
  readonly starts: string;
  readonly why: string;
}

/** Everything else of these guides is run as it is written. */
export const NOT_RUN: readonly NotRun[] = [
  {
    page: 'run/remote.md',
    starts: 'berth run https://mcp.linear.app/mcp',
    why: 'a person logs in at a hosted server; tests/e2e/run/remote-login.test.ts does so at one of its own',
  },
];

/** The reason why a command is not run; undefined for one that is. */
export function findNotRun(page: string, command: string): NotRun | undefined {
  return NOT_RUN.find((one) => one.page === page && command.startsWith(one.starts));
}
