import { Command } from 'clipanion';
import { createPaint, type Paint } from './paint.ts';

/** What all commands share: how they print. */
export abstract class BerthCommand extends Command {
  /** Colours of standard output. */
  protected get paint(): Paint {
    return createPaint(this.context.stdout, this.context.env);
  }

  protected print(lines: readonly string[]): void {
    if (lines.length > 0) this.context.stdout.write(`${lines.join('\n')}\n`);
  }

  protected printJson(value: unknown): void {
    this.context.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  }
}
