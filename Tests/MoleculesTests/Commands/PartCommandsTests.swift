import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of the commands on one molecule: info, render, bonds, chains, atoms, sequence.
struct PartCommandsTests {
  private func pluginWithPeptide() async throws -> (TestPlugin, String) {
    let plugin = try await LibraryFixture.plugin()
    return (plugin, try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin))
  }

  @Test func `info has the keys of the contract in order`() async throws {
    let (plugin, path) = try await pluginWithPeptide()
    let value = try await plugin.run("info", ["molecule": .text(path)]).value
    let keys = [
      "id", "code", "title", "method", "resolution", "format", "models", "chains", "residues", "atoms",
      "atomsAllModels", "waters", "heteroAtoms", "altlocAtoms", "insertionCodeResidues", "anisotropicAtoms", "elements",
      "coordinateSum", "occupancySum", "bFactorSum", "helices", "sheets", "strands", "bonds", "bondsByOrigin",
      "assemblies", "spaceGroup", "cell", "metadata", "diagnostics", "file",
    ]
    #expect(value.record?.names == keys)
    #expect(value["bondsByOrigin"].record?.names == ["template", "polymer", "disulfide", "link", "conect", "distance"])
    #expect(value["id"].isNull && value["resolution"].isNull && value["cell"].isNull)
    #expect(value["code"] == "1ABC")
    #expect(value["atoms"] == 6)
    #expect(value["elements"] == ["C": 3, "N": 2, "O": 1])
    #expect(value["bondsByOrigin"]["polymer"] == 1)
    let metadata = value["metadata"]
    #expect(metadata["authors"] == ["A.BEE", "C.DEE"])
    #expect(metadata["source"] == "MUS MUSCULUS")
    #expect(metadata["journalTitle"] == "A JOURNAL TITLE")
    #expect(metadata["sequence"].list?.first?["letters"] == "GA")
  }

  @Test func `info on a stored molecule equals info on its file, except for number and path`() async throws {
    let (plugin, path) = try await pluginWithPeptide()
    var ofFile = try #require(try await plugin.run("info", ["molecule": .text(path)]).value.record)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    let stored = try #require(try await plugin.run("info", ["molecule": "1"]).value.record)
    #expect(ofFile["file"] == .text(path))
    (ofFile["id"], ofFile["file"]) = (1, "peptide.pdb")
    #expect(stored == ofFile)
  }

  @Test func `the sums of info have no more digits than their terms`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/sums.pdb"
    let lines = [
      Fixture.atom(1, "N", "GLY", 1, 0.1, 0, 0, element: " N", occupancy: 0.7),
      Fixture.atom(2, "CA", "GLY", 1, 0.2, 1.5, 0, element: " C", occupancy: 0.1),
    ]
    let text = lines.joined(separator: "\n").replacing(" 10.00 ", with: " 10.10 ") + "\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let info = try await plugin.run("info", ["molecule": .text(path)]).value
    #expect(info["coordinateSum"] == .list([.number(0.3), .number(1.5), .number(0)]))
    #expect(info["occupancySum"] == .number(0.8) && info["bFactorSum"] == .number(20.2))
  }

  @Test func `info reads well as text at any width`() async throws {
    let (plugin, path) = try await pluginWithPeptide()
    let value = try await plugin.run("info", ["molecule": .text(path)]).value
    let text = try plugin.text(value)
    #expect(text.hasPrefix("PEPTIDE"))
    #expect(text.contains("Bonds               5 (template 4, polymer 1)"))
    let narrow = try plugin.text(value, for: TextRequest(width: 1))
    #expect(narrow.contains("PEPTIDE"))
    #expect(try plugin.text(value, for: TextRequest(isPlain: true)).contains("Atoms: 6"))
    #expect(try plugin.text(value, for: TextRequest(detail: .summary)) == "PEPTIDE")
  }

  @Test func `diagnostics have the line and column in the file`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/odd.pdb"
    let text = LibraryFixture.text("ODD").replacingOccurrences(of: "END\n", with: "CONECT   98   99\nEND\n")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let info = try await plugin.run("info", ["molecule": .text(path)]).value
    let diagnostics = info["diagnostics"].list ?? []
    let codes = diagnostics.compactMap { $0["code"].text }
    #expect(!codes.isEmpty && codes.allSatisfy { $0.hasPrefix("molecules.") })
    #expect(diagnostics.contains { $0["line"] == 18 && $0["code"] == "molecules.conect-unresolved" })
    #expect(diagnostics.allSatisfy { $0["column"].integer ?? 0 > 0 && $0["byte"] == .null })
    #expect(try plugin.text(info).contains("warning: \(path):18:7: CONECT refers to serial number 98"))
  }

  @Test func `an unreadable file is reported with line and column`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/odd.xyz"
    try "2\n\nC 0 0 x\nC 0 y 0\n".write(toFile: path, atomically: true, encoding: .utf8)
    let report = await plugin.report("info", ["molecule": .text(path)])
    #expect(report?.code == "molecules.unreadable-file" && report?.exitStatus == 5)
    #expect(report?.message.hasPrefix("'\(path):3:7' cannot be read as a structure: 'x' is not a coordinate") == true)
    #expect(report?.details == ["file": .text(path), "line": 3, "column": 7, "byte": .null])
  }

  @Test func `tables of atoms, bonds and chains match their declarations`() async throws {
    let (plugin, path) = try await pluginWithPeptide()
    let atoms = try #require(try await plugin.run("atoms", ["molecule": .text(path)]).value.table)
    #expect(atoms.rowCount == 6)
    #expect(atoms.row(1)["name"] == "CA")
    #expect(atoms.row(1)["x"] == 1.46)
    #expect(atoms.row(5)["residue"] == "ALA")
    let bonds = try #require(try await plugin.run("bonds", ["molecule": .text(path)]).value.table)
    #expect(bonds.row(0)["firstName"] == "A/GLY1/N")
    #expect(bonds.row(0)["secondName"] == "A/GLY1/CA")
    #expect(bonds.row(0)["length"] == 1.46)
    let chains = try #require(try await plugin.run("chains", ["molecule": .text(path)]).value.table)
    #expect(chains.row(0)["chain"] == "A")
    #expect(chains.row(0)["polymerResidues"] == 2)
    #expect(chains.row(0)["compound"] == "TEST PEPTIDE")
  }

  @Test func `sequences are printed in groups of ten`() async throws {
    let (plugin, path) = try await pluginWithPeptide()
    let value = try await plugin.run("sequence", ["molecule": .text(path)]).value
    #expect(value.table?.row(0)["letters"] == "GA")
    #expect(value.table?.row(0)["origin"] == "stated")
    #expect(try plugin.text(value).contains("     1  GA"))
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `a model is selected by its number, and an unknown one is an error`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try #require(SharedData.molecules).appendingPathComponent("pdb/1lcd.pdb.gz").path
    let first = try await plugin.run("atoms", ["molecule": .text(path)]).value.table
    let third = try await plugin.run("atoms", ["molecule": .text(path), "model": 3]).value.table
    #expect(first?.rowCount != nil && third?.row(0)["atom"] == 1)
    #expect(first?.row(0)["x"] != third?.row(0)["x"])
    let bonds = try await plugin.run("bonds", ["molecule": .text(path), "model": 3]).value.table
    #expect((bonds?.rowCount ?? 0) > 1000)
    let report = await plugin.report("atoms", ["molecule": .text(path), "model": 9])
    #expect(report?.code == "molecules.unknown-model")
    #expect(report?.advice == "choose a model from 1 to 3")
  }

  @Test(arguments: RenderMode.allCases.map(\.name))
  func `a picture has the requested size and is not empty`(mode: String) async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let value = try await plugin.run(
      "render", ["molecule": "caffeine", "mode": .text(mode)], pictureSize: Size(width: 64, height: 48)
    ).value
    let picture = try #require(value.picture)
    #expect(picture.size == Size(width: 64, height: 48))
    let lit = stride(from: 0, to: picture.pixels.count, by: 4).count { picture.pixels[$0] > 60 }
    #expect(lit > 100)
    #expect(picture.pixels[3] == 0)
  }

  @Test func `turns, colors, zoom and background change the picture`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    func picture(_ options: Record) async throws -> Picture? {
      var arguments: Record = ["molecule": "b-dna"]
      for field in options.fields { arguments[field.name] = field.value }
      return try await plugin.run("render", arguments, pictureSize: Size(width: 60, height: 60)).value.picture
    }
    let plain = try await picture([:])
    #expect(try await picture([:]) == plain)
    for options: Record in [
      ["rotate": [0, 90, 0]], ["rotate": [90, 0, 0]], ["rotate": [0, 0, 45]], ["zoom": 2], ["color": "chain"],
      ["mode": "spacefilling"], ["background": "white"],
    ] {
      #expect(try await picture(options) != plain, "\(options.names)")
    }
    #expect(try await picture(["background": "black"])?.pixels[3] == 255)
  }

  @Test func `a picture without size, of one atom or of the greatest width is rendered`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/one.pdb"
    try (Fixture.atom(1, "CA", "GLY", 1, 0, 0, 0, element: " C") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    let none = try await plugin.run("render", ["molecule": .text(path)], pictureSize: Size(width: 0, height: 0))
    #expect(none.value.picture?.isEmpty == true)
    let wide = try await plugin.run("render", ["molecule": .text(path)], pictureSize: Size(width: 16_384, height: 1))
    #expect(wide.value.picture?.width == 16_384)
  }

  @Test func `a picture or animation with too many pixels is refused before it is rendered`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    func report(_ command: String, _ arguments: Record, _ size: Size) async -> ErrorReport? {
      do {
        _ = try await plugin.run(command, arguments, pictureSize: size)
        return nil
      } catch {
        return (error as? any ReportableError)?.report
      }
    }
    for size in [Size(width: 16_385, height: 1), Size(width: 10_000, height: 10_000)] {
      #expect(await report("render", ["molecule": "caffeine"], size)?.code == "molecules.picture-too-large")
    }
    let many = await report("animate", ["molecule": "caffeine", "frames": 1000], Size(width: 640, height: 480))
    #expect(many?.code == "molecules.picture-too-large")
  }

  @Test func `an animation makes a full turn, and its labels and legend are reported`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let result = try await plugin.run(
      "animate", ["molecule": "b-dna", "mode": "cartoon", "frames": 4, "color": "chain", "label": "chains"],
      pictureSize: Size(width: 320, height: 240))
    let pictures = result.values.compactMap(\.picture)
    #expect(pictures.count == 4 && Set(pictures).count == 4)
    let still = try await plugin.run(
      "render", ["molecule": "b-dna", "mode": "cartoon", "color": "chain", "label": "chains"],
      pictureSize: Size(width: 320, height: 240))
    #expect(still.value.picture?.size == pictures.first?.size)
    let bare = try await plugin.run(
      "render", ["molecule": "b-dna", "mode": "cartoon", "color": "chain"], pictureSize: Size(width: 320, height: 240))
    let isBare = bare.value.picture != pictures.first
    #expect(isBare)
    #expect(result.diagnostics.contains { $0.code == "molecules.color-legend" && $0.message.contains("A, B") })
  }
}
