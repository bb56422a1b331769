-- The content decides the format of what is read.
alter table feeds drop column format;
