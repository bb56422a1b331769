-- The columns of a table, apart from the record: it has them only while a person may look at them, so that notes of the
-- progress, which are told to whoever listens, do not carry them.
alter table import_work add column columns jsonb not null default 'null';
update import_work w set columns = i.columns from imports i where i.id = w.import;
update imports set columns = 'null' where columns <> 'null' and state not in ('MAPPING', 'PLANNED');

-- How much was read, in stations and in bytes of their pieces: it bounds what a business keeps of imports that are over.
alter table import_work add column stations int not null default 0;
alter table import_work add column bytes bigint not null default 0;
update import_work w set stations = r.stations, bytes = r.stations * 2000
  from (select import, count(*) as stations from import_rows group by 1) r where r.import = w.import;
