#!/bin/sh
# Builds the image `waxwing`, with the version as its tag, with buildah and without a registry, on a base of Debian's own packages. Run it as root, on Debian 12 with
# `apt-get install buildah mmdebstrap`, in a checkout after `npm run pack`. Arguments go to buildah.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --variant=apt --include=ca-certificates,npm --quiet bookworm "$folder/base.tar" "$mirror"
container=$(buildah from scratch)
buildah add --quiet "$container" "$folder/base.tar" /
buildah commit --quiet --rm "$container" localhost/waxwing-build-base
buildah build --format docker --isolation chroot --build-arg DEBIAN=localhost/waxwing-build-base \
  --tag "waxwing:$version" --file deploy/container/Containerfile "$@" dist
buildah images waxwing
