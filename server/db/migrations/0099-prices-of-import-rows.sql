-- The prices of a row that its run creates.
alter table import_rows add column prices jsonb not null default 'null';
