/** A fault that is the caller's to mend: its message is all that is printed, and the exit code is 1. */
export class ReleaseFailure extends Error {}
