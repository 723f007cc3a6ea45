import PluginAPI

/// The command `fetch`: checks whether the library has the file, downloads it and imports it.
enum MoleculeFetch {
  static let url = Option("url", String.self, kind: .url, "the address of a file instead of a code")
  static let format = Option(
    "format", "which file of the Protein Data Bank or AlphaFold; large entries have no pdb",
    default: MoleculeService.FileFormat.mmcif)
  static let force = Option(flag: "force", "download it even if the library has it")

  @Sendable static func run(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    let file = try await remoteFile(call, ServiceAccess(call.context))
    if !call[force] { try await refuseKnown(file, library) }
    let result = try await download(file, library, call)
    try await call.emit(Value.list([result.value(reportedTo: call)]).typed(ImportedMolecule.typeName))
  }

  /// Downloads a file and imports it into the library.
  static func download(
    _ file: RemoteFile, _ library: MoleculeLibrary, _ call: CommandCall
  ) async throws -> ImportedMolecule {
    let access = ServiceAccess(call.context)
    call.report(Progress("downloading \(file.name)"))
    let folder = call.context.folders.cache + "/downloads"
    let download = FileDownload(
      client: access.services.client, file: file, folder: folder, limitInBytes: access.downloadLimitInBytes)
    let bytes = try await download.run { state in call.report(progress(file, state)) }
    return try await library.importBytes(bytes, name: file.name, source: file.address)
  }

  /// Returns the file at an address; `molecules://host/path`, as in links of the original application, is
  /// `http://host/path`.
  static func file(at address: String) -> RemoteFile {
    let address = isLink(address) ? "http://" + address.dropFirst(link.count) : address
    return RemoteFile(address: address, name: name(of: address))
  }

  /// Returns true if a word is a link of the original application.
  static func isLink(_ word: String) -> Bool { word.lowercased().hasPrefix(link) }

  private static let link = "molecules://"

  private static func remoteFile(_ call: CommandCall, _ access: ServiceAccess) async throws -> RemoteFile {
    let (code, url) = (call[ServiceAccess.code] ?? "", call[url] ?? "")
    if url.isEmpty {
      if code.isEmpty { throw ServiceError.nothingNamed("there is no code", advice: "name a code, or use --url") }
      return try await access.services.file(code, access.service(call), format: call[format])
    }
    if !code.isEmpty {
      throw ServiceError.codeAndURL("'\(code)' and --url name two things", advice: "leave one of them out")
    }
    return file(at: url)
  }

  /// Returns the name of the file at an address.
  static func name(of address: String) -> String {
    let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let parts = path.split(separator: UInt8(ascii: "/")).dropFirst(2)
    return parts.last.map { String(Substring($0)) } ?? "molecule"
  }

  /// Throws if the library already has the molecule of that code, or from that address.
  private static func refuseKnown(_ file: RemoteFile, _ library: MoleculeLibrary) async throws {
    let molecules = try await library.opened().molecules
    if let id = try await library.store.id(ofSource: file.address) {
      throw ServiceError.alreadyThere(file.code ?? file.name, id: id)
    }
    guard let code = file.code else { return }
    if let known = molecules.first(where: { $0.code.uppercased() == code.uppercased() }) {
      throw ServiceError.alreadyThere(code, id: known.id)
    }
  }

  private static func progress(_ file: RemoteFile, _ state: FileDownload.State) -> Progress {
    let kilobytes = state.received >> 10
    let share = state.total.flatMap { $0 > 0 ? Double(state.received) / Double($0) : nil }
    return Progress("downloading \(file.name): \(kilobytes) KiB", fraction: share.map { min(1, $0) })
  }
}
