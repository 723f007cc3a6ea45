import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

/// Every bad input, given to both entry points for files: `info FILE`, and an update from a service.
struct BadInputTests {
  @Test(.enabled(if: MawSamples.folder != nil, "the shared data are absent"))
  func `each real file is in the table, with the outcome that its list states`() throws {
    let listed = MawSamples.badCases
    #expect(Set(listed.map(\.file)) == Set(BadInputs.all.map(\.file)) && BadInputs.all.count == 60)
    for one in listed {
      let bad = try #require(BadInputs.all.first { $0.file == one.file })
      #expect(bad.code == one.code.lowercased(), "\(one.file)")
      let outcome = ["reject": "refused", "accept+warn": "warned", "accept": "taken"][one.expect]
      #expect("\(bad.outcome)" == outcome, "\(one.file)")
    }
  }

  @Test(.enabled(if: MawSamples.folder != nil, "the shared data are absent"), arguments: BadInputs.all)
  func `each real bad file given to a command has the expected outcome`(_ bad: BadInput) async throws {
    let folder = try #require(MawSamples.folder)
    try await giveByHand(bad, folder.appendingPathComponent("bad/\(bad.file)").path, bad.places.real)
  }

  @Test(arguments: BadInputs.all)
  func `each synthetic bad file given to a command has the expected outcome`(_ bad: BadInput) async throws {
    let folder = try PathCaseFolder()
    let file = folder.url.appendingPathComponent(bad.file)
    try Data(bad.own()).write(to: file)
    try await giveByHand(bad, file.path, bad.places.own)
  }

  @Test(.enabled(if: MawSamples.folder != nil, "the shared data are absent"), arguments: BadInputs.ofServices)
  func `each real bad document from a service has the expected outcome`(_ bad: BadInput) async throws {
    try await serve(bad, MawSamples.bytes("bad/\(bad.file)"), others: MawSamples.documents("cori"), bad.places.real)
  }

  @Test(arguments: BadInputs.ofServices)
  func `each synthetic bad document from a service has the expected outcome`(_ bad: BadInput) async throws {
    try await serve(bad, bad.own(), others: OwnDocuments.whole, bad.places.own)
  }

  // MARK: The two entry points

  /// Runs `info` on a file.
  private func giveByHand(_ bad: BadInput, _ path: String, _ places: [String]) async throws {
    let plugin = try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
    var finding = BadInputFinding()
    do {
      finding.warnings = try await plugin.run("info", ["network": .text(path)]).diagnostics
    } catch {
      finding.error = try #require((error as? any ReportableError)?.report, "\(error)")
    }
    // On its own it is an ordinary document.
    if bad.needsOthers {
      #expect(finding.error == nil, "\(bad.file): \(String(describing: finding.error))")
      return
    }
    finding.expect(bad, places, bad.file)
  }

  /// Updates the database from a service that has the document in place of its type.
  private func serve(
    _ bad: BadInput, _ bytes: [UInt8], others: [String: [UInt8]], _ places: [String]
  ) async throws {
    let path = BadInputs.path(bad)
    var documents = bad.number == 60 ? try BadInputs.around(bytes) : others
    if path == "pathways.xml" {
      // The targets of layouts and conditions may then be missing.
      documents = documents.filter { !$0.key.hasPrefix("layouts/") && $0.key != "smdapathways.xml" }
    }
    documents[path == OwnDocuments.layout && others["layouts/w-cori.xml"] != nil ? "layouts/w-cori.xml" : path] = bytes
    documents["manifest.xml"] = nil
    let snapshot = bad.number == 60 ? "big" : others["layouts/w-cori.xml"] != nil ? "cori" : "small"
    let entries = documents.sorted { $0.key < $1.key }.map { WrittenDocument(path: $0.key, bytes: $0.value).entry }
    documents["manifest.xml"] = ContractWriter.document(of: DatabaseManifest(snapshot: snapshot, documents: entries))
    let served = documents
    let server = try FixtureServer { request in
      served[String(request.path.drop { $0 == "/" })].map { FixtureReply(200, $0, type: "text/xml") }
        ?? FixtureReply(404)
    }
    defer { server.stop() }
    var finding = BadInputFinding()
    do {
      // Computing tests may occupy the shared threads.
      var patient = UpdateOptions()
      patient.deadlineInSeconds = 600
      let fetched = try await SnapshotUpdater(
        source: .service(server.address, DocumentSource.Access(stallInSeconds: 600)), options: patient
      ).run()
      finding.warnings = (fetched.warnings + fetched.database.warnings).map {
        Diagnostic(.warning, code: $0.code.errorCode, $0.text)
      }
    } catch {
      finding.error = try #require((error as? any ReportableError)?.report, "\(error)")
    }
    finding.expect(bad, places, "\(bad.file) as \(path)")
  }
}

extension BadInputs {
  /// The inputs that are documents of the contract, or replace one.
  static let ofServices = all.filter { $0.number <= 50 && $0.number != 11 || $0.number == 60 }

  /// Returns the path of a bad document in a snapshot.
  static func path(_ bad: BadInput) -> String {
    switch bad.number {
    case 13, 44: "metabolites.xml"
    case 3, 4, 22: "pools.xml"
    case 5, 18, 23, 29...37, 60: "processes.xml"
    case 24, 25: "compartments.xml"
    case 38, 39: "pathways.xml"
    case 40...43: OwnDocuments.layout
    default: "tissues.xml"
    }
  }

  /// Returns the other documents that a document of processes needs.
  static func around(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
    var records = try ContractReader().read(bytes, name: "processes.xml").records
    records.snapshot = "big"
    records.tissues = [Tissue(id: "t", name: "t")]
    records.compartments = [Compartment(id: "c", name: "c", tissue: "t")]
    records.metabolites = [Metabolite(id: "m", name: "m")]
    let pools = Set(records.processes.flatMap { $0.participants.map(\.pool) }).sorted()
    records.pools = pools.map { MetabolitePool(id: $0, metabolite: "m", compartment: "c") }
    return Dictionary(ContractWriter.documents(of: records).map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 })
  }
}
