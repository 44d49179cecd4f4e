// The constraint and indexes of loading, indexing and linking, all of reserved names (_trellis…).
CREATE CONSTRAINT _trellis_loaded IF NOT EXISTS
FOR (n:_TrellisLoaded) REQUIRE n._trellis_id IS UNIQUE;

CREATE INDEX _trellis_key IF NOT EXISTS
FOR (n:_TrellisNamed) ON (n._trellis_key);

CREATE FULLTEXT INDEX _trellis_text IF NOT EXISTS
FOR (n:_TrellisNamed) ON EACH [n._trellis_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}};
