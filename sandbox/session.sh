#!/bin/sh
# Runs a program in the Windows session. If there is no session, it starts one:
#   session.sh SESSION ROOT CHECKOUT MODULES EXTERNAL CWD COMMAND ARGS…
# ROOT is the sandbox's Debian root or "/". MODULES is the node_modules folder for Windows, which is mounted over
# CHECKOUT/node_modules for everything in the session; EXTERNAL the one for CHECKOUT/test/external, or empty. The command
# replaces this process (exec).
# Environment: WINEPREFIX, XDG_RUNTIME_DIR.
set -e
here=$(cd "$(dirname "$0")" && pwd)
session=$1 root=$2 checkout=$3 modules=$4 external=$5 cwd=$6
shift 6
mkdir -p "$session" "$XDG_RUNTIME_DIR"

user_namespace=
if [ "$(id -u)" != 0 ]; then
  user_namespace='--user'
fi

# True if the session's keeper is alive. The command line is checked, because another process may have the id by now.
alive() {
  [ -f "$session/ready" ] || return 1
  read -r keeper display <"$session/ready"
  grep -q keeper.sh "/proc/$keeper/cmdline" 2>/dev/null
}

exec 9>"$session/start"
flock --exclusive 9
if ! alive; then
  rm -f "$session/ready" "$session"/overlay.*
  # The keeper must not be a part of this run, or it would end with it. So it does not get the variable that names the run.
  setsid env -u NODE_DIRECTML_SANDBOX_RUN unshare --mount ${user_namespace:+--user --map-root-user} \
    "$here/enter-root.sh" "$root" / sh "$here/keeper.sh" "$session" \
    </dev/null >"$session/log" 2>&1 9>&- &
  starter=$!
  until alive; do
    if ! kill -0 $starter 2>/dev/null; then
      echo 'The Windows session did not start:' >&2
      cat "$session/log" >&2
      exit 125
    fi
    sleep 0.05
  done
fi
exec 8>"$session/users"
flock --shared 8

enter="nsenter --target $keeper --mount ${user_namespace:+--user --preserve-credentials}"
# Mounts the folder $1, if it is not empty, over $2.
mount_over() {
  overlay=$session/overlay.$(printf %s "$2" | cksum | tr ' ' -)
  if [ -z "$1" ] || [ "$(cat "$overlay" 2>/dev/null)" = "$1" ]; then return; fi
  mkdir -p "$2"
  # Unmounts the old folder first: the set-up may have deleted it meanwhile, and nothing can be mounted over a deleted folder.
  while $enter --root umount --lazy "$2" 2>/dev/null; do :; done
  $enter --root mount --bind "$1" "$2"
  echo "$1" >"$overlay"
}
mount_over "$modules" "$checkout/node_modules"
mount_over "$external" "$checkout/test/external/node_modules"
exec 9>&-

export DISPLAY="$display"
# If run.mjs is killed with SIGKILL, this kills launch.exe too, and the program ends with launch.exe.
exec setpriv --pdeathsig KILL $enter --root env --chdir="$cwd" "$@"
