declare module 'picomatch' {
  interface Scan {
    /** The leading part of the pattern that holds no magic. */
    readonly base: string;
    readonly glob: string;
    readonly isGlob: boolean;
  }
  function picomatch(glob: string, options?: { dot?: boolean }): (path: string) => boolean;
  namespace picomatch {
    function scan(pattern: string): Scan;
  }
  export default picomatch;
}
