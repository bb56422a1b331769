-- The number of connectors of the row's site that the source does not contain.
alter table import_rows add column missing_connectors double precision not null default 0;
