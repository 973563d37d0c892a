/** What a tensor or a graph knows of the context that made it. */
export interface Owner {
  readonly isLost: boolean;
}
