#!/bin/sh
# Runs a command in the sandbox's Debian root, where the host's own folders have their usual paths:
#   enter-root.sh ROOT CWD COMMAND ARGS…          (ROOT "/" is the host itself)
# The caller must run it in a private mount namespace (unshare --mount), so that its mounts are not visible outside.
set -e
root=$1 cwd=$2
shift 2

if [ "$root" = / ]; then
  cd "$cwd"
  exec "$@"
fi

# Mounts everything that is not part of the operating system: homes, checkouts, /tmp.
for folder in /*; do
  case $folder in
    /bin | /boot | /dev | /etc | /lib* | /lost+found | /proc | /run | /sbin | /sys | /usr | /var) continue ;;
  esac
  if [ -d "$folder" ] && [ ! -L "$folder" ]; then
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
  fi
done
for folder in /dev /proc /sys; do
  mount --rbind "$folder" "$root$folder"
done
# Mounts a working directory inside a folder of the operating system, such as /var/lib/jenkins.
if [ ! -d "$root$cwd" ]; then
  mkdir -p "$root$cwd"
  mount --rbind "$cwd" "$root$cwd"
fi

exec chroot "$root" /usr/bin/env --chdir="$cwd" "$@"
