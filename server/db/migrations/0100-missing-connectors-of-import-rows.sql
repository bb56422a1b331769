-- The number of connectors of the row's site that the source does not contain.
alter table import_rows add column missing_connectors double precision not null default 0;
update import_rows r set missing_connectors =
    jsonb_array_length(jsonb_path_query_array(r.changes, '$[*] ? (@.field == "*" && @.after == null)'))
  from imports i
  where i.id = r.import and i.state = 'PLANNED'
    and r.changes @? '$[*] ? (@.field == "*" && @.after == null)';
