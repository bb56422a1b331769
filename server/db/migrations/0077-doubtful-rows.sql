create index import_rows_doubtful on import_rows (import, number) where doubtful;
