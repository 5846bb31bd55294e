#!/bin/bash
# Run once by the image of PostgreSQL, when the data folder of the primary is new: lets the standby in.
set -euo pipefail

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 \
	--set password="$REPLICATION_PASSWORD" <<-'SQL'
	create role replicator with replication login password :'password';
	select pg_create_physical_replication_slot('standby', true);
	alter system set wal_level = 'replica';
	alter system set hot_standby = 'on';
	-- Keeps no more for a standby that is gone than the disk has room for.
	alter system set max_slot_wal_keep_size = '10GB';
	-- A commit is on both disks before it is acknowledged. While there is no standby, writes wait:
	-- "alter system set synchronous_standby_names = ''" and a reload end that.
	alter system set synchronous_standby_names = 'standby';
SQL
echo "host replication replicator all scram-sha-256" >> "$PGDATA/pg_hba.conf"
