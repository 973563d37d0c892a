/**
 * The error that traps throw. It is the script's own, so a call may end in it. If the package turns it into something else, such as
 * a TypeError or a promise that never settles, that is a failure.
 */
export class Meddled extends Error {}
