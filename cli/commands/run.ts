import { Command } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { isTerminal } from '../is-colorful.ts';
import type { MissingInput } from '../run/entry/input.ts';
import type { RunFlags } from '../run/flags/run-flags.ts';
import { RunOptions } from '../run/run-options.ts';
import { findUserDirectories } from '../user-directories.ts';
import { GroupStore } from '../workloads/group-store.ts';
import { Interruption, listenForInterruption } from '../workloads/interruption.ts';
import { openUserRegistry } from '../workloads/open-user-registry.ts';
import { describeOutcome, printOutcome } from '../workloads/print-outcome.ts';
import type { RunContext, RunInput } from '../workloads/run-workload.ts';
import { createStartSteps } from '../workloads/start-steps.ts';
import { findWorkloadPaths } from '../workloads/workload-paths.ts';
import type { WorkloadState } from '../workloads/workload-state.ts';
import { WorkloadStore } from '../workloads/workload-store.ts';

export class RunCommand extends RunOptions {
  static override paths = [['run']];
  static override usage = Command.Usage({
    ...describeCommand('run'),
    details: `
      The argument is the name of a server in the registry (NAME or NAME@VERSION), an image, a package as npx://, uvx://
      or go://, or the URL of a remote server. Ends when the server answers MCP, and prints where clients find it; the
      server goes on without the terminal. What comes after -- are arguments of the server.
    `,
    examples: [
      ['A server of the registry', '$0 run io.example/fetch'],
      [
        'A package, with one directory to read',
        '$0 run -v ./docs:/docs:ro npx://@modelcontextprotocol/server-filesystem -- /docs',
      ],
      [
        'An image, with a secret',
        '$0 run --secret github,target=GITHUB_TOKEN ghcr.io/github/github-mcp-server:v1',
      ],
      ['A remote server, two of its tools', '$0 run --tools search,fetch https://mcp.example.com/mcp'],
      ['What another machine exported', '$0 run --from-config fetch.json'],
      ['For a script', '$0 run --format json io.example/fetch'],
    ],
  });

  async execute(): Promise<number> {
    const { parseRunFlags } = await import('../run/parse-run-flags.ts');
    const flags = await parseRunFlags(this, { cwd: process.cwd() });
    const { resolvePlan } = await import('../run/resolve-plan.ts');
    const { env } = this.context;
    const directories = findUserDirectories(env);
    const steps = createStartSteps(this.context.stderr);
    const openSecrets = once(async () => {
      const { openSecretStore } = await import('../secrets/open-secret-store.ts');
      const { createPasswordPrompt } = await import('../secrets/ask-hidden.ts');
      return openSecretStore({ directories, env, askPassword: createPasswordPrompt(this.context) });
    });
    const resolved = await resolvePlan(this.server, flags, {
      cwd: process.cwd(),
      openRegistry: () => openUserRegistry(directories, openSecrets, flags.caBundle),
      askInputs: this.#isInteractive() ? (missing) => this.#ask(missing) : undefined,
    });
    for (const warning of resolved.warnings) steps.warn(warning);
    if (flags.command.dryRun) {
      const { printPlan } = await import('../run/exported-plan.ts');
      this.context.stdout.write(printPlan(resolved.plan));
      return 0;
    }
    const paths = findWorkloadPaths(directories);
    const context: RunContext = {
      store: new WorkloadStore(paths),
      groups: new GroupStore(paths),
      directories,
      env,
      findEngine: once(async () => {
        const { findEngine } = await import('../engine/find-engine.ts');
        return findEngine(env, { home: directories.home });
      }),
      openSecrets,
      timeoutMs: flags.command.detachTimeoutMs,
      signal: listenForInterruption(process),
      steps,
      onImageMissing: resolved.onImageMissing,
    };
    try {
      return await this.#run(resolved, context, flags.command);
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      steps.warn('Interrupted; nothing is left of it.');
      return error.exitCode;
    }
  }

  async #ask(missing: readonly MissingInput[]): Promise<ReadonlyMap<string, string>> {
    const { askInputs } = await import('../run/ask-inputs.ts');
    return askInputs(missing, this.context);
  }

  #isInteractive(): boolean {
    return isTerminal(this.context.stdin) && isTerminal(this.context.stderr);
  }

  async #run(
    input: RunInput,
    context: RunContext,
    { foreground, format }: RunFlags['command'],
  ): Promise<number> {
    const { runDetached, runForeground } = await import('../workloads/run-workload.ts');
    const tell = (state: WorkloadState) => {
      if (format === 'json') this.printJson(describeOutcome(state, context.store.paths));
      else this.print(printOutcome(state, context.store.paths));
    };
    if (!foreground) {
      tell(await runDetached(input, context));
      return 0;
    }
    const end = await runForeground(input, context, tell);
    if (end.kind === 'stopped') {
      const { reason } = context.signal;
      // Stopped by `berth stop` or `rm`, which ask with SIGTERM, it ended as it should.
      return reason instanceof Interruption && reason.exitCode !== 143 ? reason.exitCode : 0;
    }
    const { StartFailure } = await import('../workloads/start-failure.ts');
    if (end.exitCode === 0) {
      context.steps.warn(end.why.message);
      return 0;
    }
    throw new StartFailure(end.why, end.logTail);
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
