-- The key under which the feed named a deleted station without an ID before, which it has renamed or moved since.
alter table import_keys add column former_key text collate "C";
