/** A thread of a thread pool that ends while it has a chunk to compute. */
import './take-chunk.mjs';

process.exit();
