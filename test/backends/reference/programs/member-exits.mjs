/** A thread of a thread pool that takes a chunk and ends without computing it. */
import './take-chunk.mjs';

process.exit();
