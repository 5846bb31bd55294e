#!/bin/bash
# The command of the standby: copies the primary once, then follows it until it is promoted.
set -euo pipefail

mkdir -p "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	until PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup --pgdata="$PGDATA" --wal-method=stream \
		--slot=standby --write-recovery-conf --checkpoint=fast \
		--dbname="host=$PRIMARY_HOST user=replicator application_name=standby"; do
		# What an interrupted copy left must not look like a database.
		find "$PGDATA" -mindepth 1 -delete
		sleep 2
	done
	chmod 700 "$PGDATA"
fi
# The primary's own setting came with the copy. After a promotion there is nobody to wait for.
exec postgres -c synchronous_standby_names=
