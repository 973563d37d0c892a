#!/bin/sh
# Unpacks the sandbox beside this script, once, and runs a program on its Windows: as root, without a network.
#   sh run.sh                                         ten cases of every operator on DirectML and on the reference
#   sh run.sh node bin/node-directml.mjs doctor       any other program, as `npm run windows --` takes it
# Environment: NODE_DIRECTML_VULKAN=host runs DirectML on this machine's GPU, through its own Vulkan driver.
# The machine needs xz, tar, unshare and mount of util-linux, and libstdc++ for Node.js.
set -e
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -d "$here/sandbox" ]; then
  rm -rf "$here/sandbox.new"
  mkdir "$here/sandbox.new"
  cat "$here"/sandbox.tar.xz.* | xz --decompress | tar --extract --directory "$here/sandbox.new"
  mv "$here/sandbox.new" "$here/sandbox"
fi
cd "$here/sandbox/checkout"
export XDG_CACHE_HOME="$here/sandbox/cache"
if [ $# = 0 ]; then set -- node build/tools/conformance.js --seed 1 --cases 10; fi
exec ../node sandbox/run.mjs "$@"
