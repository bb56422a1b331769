-- The address and the token of an import that has been read are needed no more; what people read of the address stays.
update import_work w set token = '', url = i.source
  from imports i where i.id = w.import and w.url <> '' and (i.state <> 'READING' or i.file <> '');
