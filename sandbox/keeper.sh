#!/bin/sh
# Keeps one Windows session alive, which all runs share: the X display, the wineserver and Windows' own services.
# session.sh starts it inside the sandbox's root and mount namespace. It ends 20 seconds after the last run. Every run
# holds a lock on SESSION/users, so the keeper can tell when the last one has ended.
#   keeper.sh SESSION
# When runs may start, it creates SESSION/ready with this process's id and the display's number.
# Environment: NODE_DIRECTML_SANDBOX_LINGER, in seconds, replaces the 20.
session=$1
linger=${NODE_DIRECTML_SANDBOX_LINGER:-20}

rm -f "$session/display"
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$session/display" >/dev/null 2>&1 &
xvfb=$!
end() {
  rm -f "$session/ready"
  kill ${watchdog:-} 2>/dev/null
  wineserver -k
  kill $xvfb
}
# The shell handles a signal at once only in `wait`; otherwise not before the current command ends.
trap 'end; exit 1' TERM INT HUP

tries=0
until [ -s "$session/display" ]; do
  tries=$((tries + 1))
  if [ $tries -gt 200 ] || ! kill -0 $xvfb 2>/dev/null; then
    echo 'the X server (Xvfb) did not start' >&2
    exit 1
  fi
  sleep 0.05
done
DISPLAY=:$(cat "$session/display")
export DISPLAY

wineserver --foreground --persistent &
server=$!
# The first program starts Windows' services. It must not be a run, because the services would inherit that run's lock.
wine cmd /c exit || { echo "Wine did not start (exit code $?)" >&2; end; exit 1; }

echo "$$ $DISPLAY" >"$session/ready.new"
mv "$session/ready.new" "$session/ready"

# If the wineserver dies, runs hang, and each new run would start its own server on the same prefix. So the watchdog kills
# all runs, which it finds by their file descriptor 8 for the lock, and the keeper. The next run starts a new session.
(
  while kill -0 $server 2>/dev/null; do sleep 1; done
  for descriptor in /proc/[0-9]*/fd/8; do
    [ "$(readlink "$descriptor")" = "$session/users" ] || continue
    process=${descriptor#/proc/}
    kill -KILL "${process%%/*}"
  done
  kill $$
) &
watchdog=$!

while true; do
  flock --exclusive "$session/users" sleep 0 &
  wait $!
  sleep "$linger"
  # A run holds the start lock from its start until it has locked users. So with the start lock, no run can start.
  exec 9>"$session/start"
  flock --exclusive 9
  if flock --exclusive --nonblock "$session/users" sleep 0; then
    end
    exit 0
  fi
  exec 9>&-
done
