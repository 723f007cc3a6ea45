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
    ErrorCodeDescription("openbis.more", "a list has more rows than were asked for"),
    ErrorCodeDescription("openbis.navigation-empty", "the server lists no navigation entities; those known stay"),
    ErrorCodeDescription("openbis.duplicate-rows", "rows of an answer name one entity; the last one counts"),
    ErrorCodeDescription(
      "openbis.nothing-pruned", "rows of a refresh could not be used, so nothing was removed for not being told"),
    ErrorCodeDescription("openbis.kind-empty", "the server suddenly has no objects of a kind; those known stay"),
    ErrorCodeDescription(
      "openbis.listing-incomplete", "the server sent fewer objects than it counts, so nothing was removed"),
    ErrorCodeDescription("openbis.count-differs", "the server counts another number of objects than are cached"),
    ErrorCodeDescription("openbis.files-unknown", "a data store did not answer, so files of data sets are unknown"),
    ErrorCodeDescription("openbis.nothing-found", "a search found nothing"),
    ErrorCodeDescription(
      "openbis.kind-not-allowed", "no permission to read objects of a kind; the others were refreshed"),
    ErrorCodeDescription("openbis.no-rights", "the user is logged in and has no rights at the server yet"),
    ErrorCodeDescription("openbis.name-key-file", "commands that ask a server need a key file, which none names yet"),
    ErrorCodeDescription("openbis.not-kept-unlocked", "the kernel keeps no keys, so each command needs the key"),
    ErrorCodeDescription("openbis.text-too-short", "a text is too short for a search on the server"),
  ]
}
