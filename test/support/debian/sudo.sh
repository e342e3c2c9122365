#!/bin/bash
# `sudo -u USER COMMAND`, as root, where there is no sudo: another user, and no environment beside what is to be preserved.
kept=(PATH="$PATH" TERM="${TERM:-dumb}")
user=root
while [[ $1 == -* ]]; do
  case $1 in
    -u) user=$2; shift 2 ;;
    --preserve-env=*) name=${1#*=}; kept+=("$name=${!name}"); shift ;;
    *) echo "sudo: $1 is not known here" >&2; exit 2 ;;
  esac
done
exec runuser -u "$user" -- env -i "${kept[@]}" "$@"
