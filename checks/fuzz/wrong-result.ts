/** Thrown by an action that got a wrong result. */
export class WrongResult extends Error {}
