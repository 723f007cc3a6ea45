import PluginPostgres

/// The schema of a shared library, step by step; released steps are never edited.
enum SharedLibraryMigrations {
  /// All steps.
  ///
  /// Users delete only molecules that they added, and with them pieces, metadata and originals, which no policy
  /// prevents. Metadata and pieces have no policies, as `COPY … FROM` refuses tables that have them. Pieces and
  /// originals are compact already and are not compressed again.
  static let all = [
    PostgresMigration(
      1, "molecules, their pieces, metadata and originals",
      sql: """
        CREATE TABLE molecule (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          code text NOT NULL,
          title text NOT NULL,
          compound text NOT NULL,
          format text NOT NULL,
          models bigint NOT NULL,
          chains bigint NOT NULL,
          residues bigint NOT NULL,
          atoms bigint NOT NULL,
          bonds bigint NOT NULL,
          added_seconds bigint NOT NULL,
          added_nanoseconds bigint NOT NULL,
          file text NOT NULL,
          file_size bigint NOT NULL,
          file_digest text NOT NULL UNIQUE,
          source text NOT NULL,
          reading bigint NOT NULL,
          words tsvector NOT NULL,
          added_by text
        );
        CREATE INDEX molecule_words ON molecule USING gin (words);
        CREATE TABLE metadata (
          molecule bigint NOT NULL REFERENCES molecule ON DELETE CASCADE,
          position bigint NOT NULL,
          section bigint NOT NULL,
          label text NOT NULL,
          value text NOT NULL,
          PRIMARY KEY (molecule, position)
        );
        CREATE TABLE piece (
          molecule bigint NOT NULL REFERENCES molecule ON DELETE CASCADE,
          kind text NOT NULL CHECK (kind IN ('hierarchy', 'annotations', 'atoms', 'bonds')),
          model bigint NOT NULL,
          content bytea NOT NULL,
          PRIMARY KEY (molecule, kind, model)
        );
        ALTER TABLE piece ALTER content SET STORAGE EXTERNAL;
        CREATE TABLE original (
          digest text NOT NULL REFERENCES molecule (file_digest) ON DELETE CASCADE,
          part bigint NOT NULL,
          bytes bytea NOT NULL,
          PRIMARY KEY (digest, part)
        );
        ALTER TABLE original ALTER bytes SET STORAGE EXTERNAL;
        \(PostgresPolicy.deletionByAuthor(of: "molecule"))
        ALTER TABLE original ENABLE ROW LEVEL SECURITY;
        CREATE POLICY reading ON original FOR SELECT USING (true);
        CREATE POLICY adding ON original FOR INSERT WITH CHECK (true);
        CREATE POLICY updating ON original FOR UPDATE USING (true);
        """)
  ]
}
