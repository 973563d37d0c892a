/** A thread of a crew that ends while it has a chunk to compute. */
import './take-chunk.mjs';

process.exit();
