/** An error that the user can fix. The command prints its message and exits with code 1. */
export class ToolFailure extends Error {}
