-- name: schema_inspect
-- question: Which tables and columns does the export have?
-- words: schema table* column* database structure fields sql
-- category: utility
-- tables: export
-- column tbl text "tbl"
-- column col text "col"
-- column type text "type"
-- column pk id "pk"
SELECT m.name AS tbl, p.name AS col, p.type AS type, p.pk AS pk
FROM sqlite_schema m, pragma_table_info(m.name) p WHERE m.type = 'table'
ORDER BY m.name, p.cid
