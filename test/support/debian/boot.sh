# The first commands in the machine of machine.ts: a folder tree whose changes stay in memory, a network of its own, and
# what `apt-get install postgresql` and `npm install` leave behind. Variables:
# VERSION of PostgreSQL, PACKAGE, NODE_MODULES, TOOLS.
set -e
mount --make-rprivate /
ip link set lo up
mount -t tmpfs changes /mnt
change() {
  mkdir -p "/mnt/new$1" "/mnt/work$1"
  mount -t overlay changes -o "lowerdir=${2:-$1},upperdir=/mnt/new$1,workdir=/mnt/work$1" "$1"
}
for folder in /etc /opt /srv /tmp /var /root /usr/local /usr/lib/sysusers.d; do change "$folder"; done
mount -t tmpfs run /run

rm -rf /etc/postgresql/* /var/lib/postgresql/* /var/log/postgresql/*
install -d -o postgres -g postgres -m 2775 /run/postgresql
pg_createcluster "$VERSION" main --start
# As on a new Debian, its server listens only on localhost and not at the name of the machine.
printf '127.0.0.1 %s\n' localhost db-1 db-2 relay.example > /etc/hosts
echo '127.0.1.1 db.example' >> /etc/hosts

mkdir -p /opt/waxwing/node_modules /etc/waxwing
change /opt/waxwing/node_modules "$NODE_MODULES"
tar -xzf "$PACKAGE" -C /opt && mv /opt/package /opt/waxwing/node_modules/waxwing

install -m 755 "$TOOLS/systemctl.mjs" /usr/local/bin/systemctl
command -v sudo > /dev/null || install -m 755 "$TOOLS/sudo.sh" /usr/local/bin/sudo
