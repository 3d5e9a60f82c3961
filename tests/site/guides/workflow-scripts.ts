import { parse } from 'yaml';
import { z } from 'zod';

/** One shell script of a pipeline, and what its environment is given. */
export interface PipelineScript {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}

const step = z.object({
  uses: z.string().optional(),
  if: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  run: z.string().optional(),
});
const workflow = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) });
const gitlabJob = z.object({ before_script: z.array(z.string()), script: z.array(z.string()) });

/**
 * The scripts of a workflow of GitHub or Gitea, in their order, as a pull request runs them.
 * @param context what its expressions stand for
 * @throws Error for an expression the context does not have
 */
export function listWorkflowScripts(
  text: string,
  context: Readonly<Record<string, string>>,
): readonly PipelineScript[] {
  const fill = (value: string) =>
    value.replaceAll(/\$\{\{ *([\w.]+) *\}\}/g, (_, name: string) => {
      const found = context[name];
      if (found === undefined) throw new Error(`the workflow asks for ${name}, which nothing gives`);
      return found;
    });
  return Object.values(workflow.parse(parse(text)).jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run, env }) =>
      run === undefined
        ? []
        : [
            {
              script: fill(run),
              env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
            },
          ],
    ),
  );
}

/** The script of the job `review` of GitLab: its runner makes one of all lines. */
export function listGitlabScripts(text: string): readonly PipelineScript[] {
  const { before_script: before, script } = gitlabJob.parse(
    z.object({ review: z.unknown() }).parse(parse(text)).review,
  );
  return [{ script: [...before, ...script].join('\n'), env: {} }];
}
