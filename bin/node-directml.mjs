#!/usr/bin/env node
// The command `node-directml`. lib/cli has the commands.
import { main } from '../dist/cli/main.js';

process.exitCode = await main(process.argv.slice(2));
