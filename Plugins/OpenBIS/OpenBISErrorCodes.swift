import OpenBISSimulator
import PluginAPI
import PluginNet
import PluginStore

/// All stable codes of errors and notes of this plugin.
enum OpenBISErrorCodes {
  static let all: [ErrorCodeDescription] =
    LabError.errorCodes + notes + MappingFault.errorCodes + RPCError.errorCodes + TableNotes.errorCodes
    + GraphError.errorCodes + PagingError.errorCodes + DownloadError.errorCodes + ImageFetchError.errorCodes
    + files.map(\.catalogueEntry) + SimulatorError.errorCodes + HTTPError.errorCodes + StoreError.errorCodes
    + LabError.previewErrorCodes

  private static let files: [DeclaredError] =
    CredentialError.all + [SecretFile.unreadable, OutputFile.notWritable] + EntityStoreError.all

  private static let notes = [
    ErrorCodeDescription("openbis.more", "a list has more rows than requested"),
    ErrorCodeDescription(
      "openbis.navigation-empty", "the server lists no navigation entities; the cached ones are kept"),
    ErrorCodeDescription(
      "openbis.duplicate-rows", "several rows of a response are for one entity; the last one is used"),
    ErrorCodeDescription(
      "openbis.nothing-pruned", "rows of a sync could not be used, so no missing entities were removed"),
    ErrorCodeDescription("openbis.kind-empty", "the server lists no objects of a kind; the cached ones are kept"),
    ErrorCodeDescription(
      "openbis.listing-incomplete", "the server sent fewer objects than it counts, so nothing was removed"),
    ErrorCodeDescription("openbis.count-differs", "the server counts more or fewer objects than are cached"),
    ErrorCodeDescription("openbis.files-unknown", "a data store did not list files"),
    ErrorCodeDescription("openbis.nothing-found", "a search found nothing"),
    ErrorCodeDescription(
      "openbis.kind-not-allowed", "no permission to read objects of a kind; the others were updated"),
    ErrorCodeDescription(
      "openbis.rights-lost", "entities that the user may no longer read were removed from the cache"),
    ErrorCodeDescription("openbis.no-rights", "the user is logged in, but has no rights at the server yet"),
    ErrorCodeDescription(
      "openbis.name-key-file", "commands that contact a server need the key file, which is not configured"),
    ErrorCodeDescription("openbis.not-kept-unlocked", "the kernel cannot store the key, so each command needs it"),
    ErrorCodeDescription("openbis.text-too-short", "a text is too short for a search on the server"),
  ]
}
