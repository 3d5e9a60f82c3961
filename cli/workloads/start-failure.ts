import { BerthError } from '../../sources/errors.ts';

/** That a workload could not be started, with what its server said last. */
export class StartFailure extends BerthError {
  readonly logTail: string;

  constructor(cause: BerthError, logTail: string) {
    super(cause.code, cause.message, {
      ...(cause.at === undefined ? {} : { at: cause.at }),
      ...(cause.fix === undefined ? {} : { fix: cause.fix }),
      cause,
    });
    this.name = 'StartFailure';
    this.logTail = logTail;
  }

  /** Cause, then the lines of the server, then what to do. */
  override describe(): string {
    if (this.logTail === '') return super.describe();
    const lines = this.logTail.split('\n').map((line) => `  ${line}`);
    const cause = new BerthError(this.code, this.message, this.at === undefined ? {} : { at: this.at });
    return [cause.describe(), 'Its last lines:', ...lines, ...(this.fix ? [this.fix] : [])].join('\n');
  }
}
