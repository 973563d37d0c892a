#!/bin/sh
# Keeps one Windows session alive: the X display, the wineserver and Windows' own services, which all runs
# share. Started by session.sh inside the sandbox's root and mount namespace; ends itself some seconds after
# the last run, which it knows by the lock on SESSION/users that every run holds.
#   keeper.sh SESSION
# SESSION/ready appears, with this process's id and the display's number, when runs may start.
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
# The shell takes a signal only between two commands, but while it waits for a job at once.
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
# The first program starts Windows' services; it must not be a run, or they would hold that run's lock.
wine cmd /c exit || { echo "Wine did not start (exit code $?)" >&2; end; exit 1; }

echo "$$ $DISPLAY" >"$session/ready.new"
mv "$session/ready.new" "$session/ready"

# When the wineserver is gone, runs hang, and each new one would start a server of its own and fight with the
# others over the prefix. So they all end, known by the lock's file descriptor, and the next one starts anew.
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
  # A run that is about to start holds the start lock until it has its lock on users.
  exec 9>"$session/start"
  flock --exclusive 9
  if flock --exclusive --nonblock "$session/users" sleep 0; then
    end
    exit 0
  fi
  exec 9>&-
done
