import PluginAPI

/// Commands that use services on the network: search, fetch, page.
enum ServiceCommands {
  static let all = [search, fetch, page]

  static let search = CommandPart(
    CommandDescription(
      "search", "Search databases for molecules", output: .table(of: SearchHit.self), effects: [.reads, .network]
    ).taking(text, ServiceAccess.service, rows).explained(
      """
      The best results come first. The Protein Data Bank searches the full text of its entries. PubChem searches for a \
      compound of this name, or else for the words. AlphaFold expects the UniProt accession of a protein. 'fetch' \
      downloads a molecule by its code in the results.
      """,
      examples: [
        .init("search crambin", "Entries of the Protein Data Bank"),
        .init("search caffeine --service pubchem", "A small molecule"),
        .init("search 'heat shock' --rows 10 --json", "Ten entries as JSON, for scripts"),
      ])
  ) { call in
    let access = ServiceAccess(call.context)
    let (text, service) = (call[text], access.service(call))
    call.report(Progress("searching '\(text)'"))
    let hits = try await access.services.search(text, service, rows: call[rows]) { call.warn($0) }
    if hits.isEmpty {
      call.warn(Diagnostic(.note, code: "molecules.no-hits", "no molecules found for '\(text)'"))
    }
    try await call.emit(table: hits)
  }

  private static let text = Argument("text", String.self, "Words to search for")
  private static let rows = Option("rows", in: 1...1000, "Maximum number of results", default: 50)

  static let fetch = CommandPart(
    CommandDescription(
      "fetch", "Download a molecule into the library",
      output: ImportedMolecule.output,
      effects: [.reads, .writes, .network]
    ).taking(
      ServiceAccess.code, MoleculeFetch.url, ServiceAccess.service, MoleculeFetch.format, MoleculeFetch.force
    ).explained(
      """
      A repeated fetch resumes an interrupted download if the server supports it. The library imports complete files only.
      """,
      examples: [
        .init("fetch 4hhb", "An entry of the Protein Data Bank"),
        .init("fetch 2519 --service pubchem", "Caffeine with 3-D coordinates"),
        .init("fetch P69905 --service alphafold", "The predicted structure of a protein"),
        .init("fetch --url https://files.rcsb.org/ligands/download/HEM.cif", "A file from any server"),
      ]
    ).findable(by: ["download"]), MoleculeFetch.run)

  static let page = CommandPart(
    CommandDescription(
      "page", "Show the description or web page of a molecule at a service",
      output: .model(MoleculePage.self), effects: [.reads, .network]
    ).taking(ServiceAccess.code, ServiceAccess.service, isReading, url, isOpening).explained(
      "A number in brackets after a word of the text is the number of its link.",
      examples: [
        .init("page 4hhb", "Title, abstract and the address of the web page"),
        .init("page 4hhb --read", "The web page as text"), .init("page 4hhb --open", "The web page in a browser"),
      ])
  ) { call in
    let access = ServiceAccess(call.context)
    var page = try await described(call, access)
    if call[isOpening] { try WebBrowser.open(page.address, with: access.browser) }
    if call[isReading] || !(call[url] ?? "").isEmpty {
      call.report(Progress("reading \(page.address)"))
      let read = try await read(page.address, access, call)
      if page.title.isEmpty { page.title = read.title }
      (page.address, page.text, page.links) = (read.address, read.text, read.links)
    }
    try await call.emit(page)
  }

  private static let isReading = Option(flag: "read", "Show the text and links of the web page")
  private static let url = Option(
    "url", String.self, kind: .url, "Web page to read instead of a code, such as a link of another page")
  private static let isOpening = Option(flag: "open", "Open the web page in a browser")

  /// Returns the description that is available before the web page is read.
  private static func described(_ call: CommandCall, _ access: ServiceAccess) async throws -> MoleculePage {
    let (code, address) = (call[ServiceAccess.code] ?? "", call[url] ?? "")
    guard address.isEmpty else { return MoleculePage(code: "", title: "", abstract: nil, address: address) }
    guard !code.isEmpty else {
      throw ServiceError.nothingNamed("the entry code is missing", advice: "give one, or an address with '--url'")
    }
    call.report(Progress("requesting \(code)"))
    return try await access.services.page(code, access.service(call))
  }

  private static func read(_ address: String, _ access: ServiceAccess, _ call: CommandCall) async throws -> WebPage {
    let make = try await access.services.read(address)
    return try await call.compute("reading \(address)") { _ in try make() }
  }
}

/// The command `fetch`: checks whether the library has the file, downloads it and imports it.
enum MoleculeFetch {
  fileprivate static let url = Option("url", String.self, kind: .url, "Address of a file, instead of a code")
  fileprivate static let format = Option(
    "format", "File format for the Protein Data Bank and AlphaFold; large entries are not available as pdb",
    default: MoleculeService.FileFormat.mmcif)
  fileprivate static let force = Option(flag: "force", "Download even if the library has the molecule")

  @Sendable fileprivate static func run(_ call: CommandCall) async throws {
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
      if code.isEmpty {
        throw ServiceError.nothingNamed("the entry code is missing", advice: "give one, or an address with '--url'")
      }
      return try await access.services.file(code, access.service(call), format: call[format])
    }
    if !code.isEmpty {
      throw ServiceError.codeAndURL("both '\(code)' and '--url' are given", advice: "leave one of them out")
    }
    return file(at: url)
  }

  /// Returns the name of the file at an address.
  private static func name(of address: String) -> String {
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

/// The services, as configured in the settings.
struct ServiceAccess: Sendable {
  /// The code of a molecule at a service.
  fileprivate static let code = Argument(
    "code", optional: String.self, "Entry code, as 'search' lists it; not needed with --url")

  /// The option for the service; defaults to the setting.
  fileprivate static let service = Option(
    "service", MoleculeService.self,
    "Source of the molecule: rcsb is the Protein Data Bank, soap and text are its services of 2008 and 2009, pubchem "
      + "has small molecules, alphafold predicted proteins; by default the setting 'service'")

  /// The plugin's settings for services.
  static let settings: [Parameter] =
    [
      standard.parameter, certificates.parameter, deadline.parameter, firstDelay.parameter, downloadLimit.parameter,
      browser.parameter,
    ] + ServiceEndpoints.settings

  /// The service used where none is named.
  static let standard = Setting("service", "Default source of molecules", default: MoleculeService.rcsb)
  private static let certificates = Setting(
    "certificates", String.self, "PEM file of trusted certificates; if empty, those of the system")
  private static let deadline = Setting<Double>(
    "deadline", in: 0.1...3600, "Time limit for each request to a service", unit: "second", default: 60)
  private static let firstDelay = Setting(
    "repeat-delay", in: 0.0...60, "Delay before a request is retried", unit: "second", default: 0.5)
  private static let downloadLimit = Setting(
    "download-limit", in: 1...2048, "Largest file to download", unit: "MiB", default: 512)
  private static let browser = Setting(
    "browser", "Program that opens web pages, called with the address", default: "xdg-open")

  fileprivate let services: RemoteServices
  private let context: any PluginContext

  fileprivate init(_ context: any PluginContext) {
    self.context = context
    let certificates = context[Self.certificates] ?? ""
    services = RemoteServices(
      .init(
        isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
        deadlineInSeconds: context[Self.deadline],
        firstDelayInSeconds: context[Self.firstDelay]),
      ServiceEndpoints { context.setting($0) })
  }

  /// Returns the service requested by a call.
  fileprivate func service(_ call: CommandCall) -> MoleculeService {
    call[Self.service] ?? context[Self.standard]
  }

  /// The limit of downloaded files, in bytes.
  fileprivate var downloadLimitInBytes: Int { context[Self.downloadLimit] << 20 }

  /// The program that opens web pages.
  fileprivate var browser: String { context[Self.browser] }
}
