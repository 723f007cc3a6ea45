import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of the part of the screen that the molecule fills, and of its first picture.
@MainActor struct ViewerFrameTests {
  private func viewer(
    _ document: String, size: Size = Size(width: 100, height: 28), settings: [String: Value] = [:]
  ) async throws -> (ScreenDriver, ViewerController) {
    let plugin = try await LibraryFixture.plugin(starters: true)
    for (name, value) in settings { try plugin.context.set(name, to: value) }
    let driver = try plugin.screen("viewer", ["document": .text(document)], size: size)
    await driver.settle()
    return (driver, try #require(driver.controller as? ViewerController))
  }

  /// Returns a file with a helix of 12 residues, a ligand, an ion near it, a distant one and a still more distant
  /// water.
  private func peptide() throws -> String {
    var lines: [String] = []
    func add(
      _ name: String, _ residue: String, _ number: Int, _ place: SIMD3<Double>, _ element: String,
      record: String = "ATOM  "
    ) {
      lines.append(
        Fixture.atom(
          lines.count + 1, name, residue, number, place.x, place.y, place.z, element: element, record: record))
    }
    for index in 0..<12 {
      let angle = Double(index) * 100 * .pi / 180
      add("CA", "ALA", index + 1, SIMD3(2.3 * cos(angle), 2.3 * sin(angle), 1.5 * Double(index)), " C")
    }
    add("C1", "LIG", 20, SIMD3(6, 0, 8), " C", record: "HETATM")
    add("O1", "LIG", 20, SIMD3(7.2, 0, 8), " O", record: "HETATM")
    add("ZN", " ZN", 21, SIMD3(-6, 0, 8), "ZN", record: "HETATM")
    add("NA", " NA", 22, SIMD3(0, 40, 8), "NA", record: "HETATM")
    add("O", "HOH", 23, SIMD3(0, -60, 60), " O", record: "HETATM")
    let path = NSTemporaryDirectory() + "peptide-" + UUID().uuidString + ".pdb"
    try (lines.joined(separator: "\n") + "\nEND\n").write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Returns the numbers of columns and rows of pixels covered by the picture.
  private func covered(_ controller: ViewerController) throws -> (width: Int, height: Int) {
    let picture = try #require(controller.content.pictures.picture)
    let pixels = (0..<picture.width * picture.height).filter { picture.pixels[4 * $0 + 3] >= 128 }
    let (columns, rows) = (pixels.map { $0 % picture.width }, pixels.map { $0 / picture.width })
    return ((columns.max() ?? -1) - (columns.min() ?? 0) + 1, (rows.max() ?? -1) - (rows.min() ?? 0) + 1)
  }

  @Test func `the number of atoms counts one conformer, in copies too`() async throws {
    let path = NSTemporaryDirectory() + "conformers-" + UUID().uuidString + ".pdb"
    let lines = [
      "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1 2 1       2",
      Fixture.atom(1, "C1", "LIG", 1, 1, 2, 3, element: " C", record: "HETATM"),
      Fixture.atom(2, "O1", "LIG", 1, 2.4, 2, 3, altloc: "A", element: " O", record: "HETATM"),
      Fixture.atom(3, "O1", "LIG", 1, 1, 3.4, 3, altloc: "B", element: " O", record: "HETATM"),
    ]
    try (lines.joined(separator: "\n") + "\nEND\n").write(toFile: path, atomically: true, encoding: .utf8)
    let (driver, controller) = try await viewer(path)
    #expect(controller.status.map(\.text).contains("2 atoms"))
    #expect(driver.outline.fields.contains(Outline.Field("atoms", "2")))
    driver.press("a")
    #expect(controller.content.scene.copies == .choice(.unitCell))
    #expect(controller.status.map(\.text).contains("4 atoms"))
    #expect(driver.outline.fields.contains(Outline.Field("atoms", "4")))
  }

  @Test func `a change of mode frames the drawn atoms`() async throws {
    let (driver, controller) = try await viewer(peptide())
    driver.press("2")
    let all = try covered(controller)
    driver.press("6")
    let cartoon = try covered(controller)
    #expect(cartoon.height > 45 || cartoon.width > 85)
    driver.press("2")
    #expect(try covered(controller) == all)
  }

  @Test func `labels and legend change with the drawn atoms`() async throws {
    let (driver, controller) = try await viewer(peptide())
    driver.perform(ActionInvocation("color", ["scheme": "element"]))
    driver.press("t", "t", "t")
    #expect(controller.content.scene.labels.map(\.text) == ["C1", "O1", "ZN"])
    #expect(controller.content.pictures.prepared?.legend?.text == "element: C, O, Zn")
    driver.press("2")
    #expect(
      controller.content.scene.labels.map(\.text) == Array(repeating: "CA", count: 12) + ["C1", "O1", "ZN", "NA"])
    #expect(controller.content.pictures.prepared?.legend?.text == "element: C, O, Zn, Na")
  }

  @Test func `the status does not mention atom labels if no atom is drawn individually`() async throws {
    let (driver, controller) = try await viewer("b-dna")
    driver.press("t", "t", "t")
    #expect(controller.content.scene.labelKind == .atoms && controller.content.scene.labels.isEmpty)
    #expect(!controller.status.map(\.text).contains("atoms labeled"))
    driver.press("2")
    #expect(!controller.content.scene.labels.isEmpty && controller.status.map(\.text).contains("atoms labeled"))
  }

  @Test func `the status does not mention labels of residues or atoms of water`() async throws {
    let path = NSTemporaryDirectory() + "water-\(UUID().uuidString).pdb"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let waters = (1...3).map { Fixture.atom($0, "O", "HOH", $0, Double(5 * $0), 0, 0, element: " O", record: "HETATM") }
    try (waters.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let (driver, controller) = try await viewer(path)
    for kind in [LabelKind.chains, .residues, .atoms] {
      driver.press("t")
      #expect(controller.content.scene.labelKind == kind && controller.content.scene.labels.isEmpty)
      #expect(!controller.status.contains { $0.text.hasSuffix("labeled") })
    }
    #expect(
      controller.content.scene.labelNote?.message == "no atoms but those of water are drawn, so none are labeled")
  }

  @Test func `reset frames the drawn atoms`() async throws {
    let (driver, controller) = try await viewer(peptide())
    driver.press("2", "+", "L", "6")
    driver.press("r")
    let size = try covered(controller)
    #expect(size.height > 45 || size.width > 85)
  }

  @Test func `a zoomed or shifted view does not change with the mode`() async throws {
    let (driver, controller) = try await viewer(peptide())
    driver.press("+", "+", "L")
    let camera = controller.content.pictures.camera
    driver.press("2")
    #expect(controller.content.pictures.camera == camera && camera != nil)
  }

  @Test func `a step to another model frames it, unless the view is zoomed or models play`()
    async throws
  {
    // The second model is 100 Å from the first.
    let lines = [0.0, 100].enumerated().flatMap { index, shift -> [String] in
      let atoms = (1...6).map { number in
        Fixture.atom(
          number, "C\(number)", "LIG", 1, 3 * Double(number) + shift, 0, 0, element: " C", record: "HETATM")
      }
      return ["MODEL        \(index + 1)"] + atoms + ["ENDMDL"]
    }
    let path = NSTemporaryDirectory() + "models-" + UUID().uuidString + ".pdb"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try (lines.joined(separator: "\n") + "\nEND\n").write(toFile: path, atomically: true, encoding: .utf8)
    let (driver, controller) = try await viewer(path)
    driver.press("]")
    #expect(controller.content.scene.model == 1)
    #expect(try covered(controller).width > 85)
    let framed = try #require(controller.content.pictures.camera)
    driver.press("P")
    driver.advance(by: 0.3)
    driver.press("P")
    #expect(controller.content.scene.model == 0 && controller.content.pictures.camera == framed)
    driver.press("]", "[", "+")
    let enlarged = try #require(controller.content.pictures.camera)
    driver.press("]")
    #expect(
      controller.content.scene.model == 1 && controller.content.pictures.camera == enlarged
        && enlarged.target != framed.target)
  }

  @Test func `the frame is centered on the turned scene's box, not on the mean of its atoms`() throws {
    // A dense head and a long thin tail.
    var scene = Scene()
    for index in 0..<300 {
      let place = SIMD3(Float(index % 7), Float(index / 7 % 7), Float(index / 49))
      scene.spheres.append(Sphere(center: place, radius: 1, color: .white))
    }
    for step in 0..<20 {
      scene.spheres.append(Sphere(center: SIMD3(Float(step) * 2, 3, 3), radius: 1, color: .white))
    }
    let viewport = Viewport(width: 200, height: 40)
    let camera = Camera(framing: InstancedScene(scene))
    let projection = Projection(camera, onto: viewport)
    let reach = projection.scale
    let places = scene.spheres.map { projection($0.center) }
    let left = (places.map(\.x).min() ?? 0) - reach
    let right = 200 - (places.map(\.x).max() ?? 0) - reach
    let above = (places.map(\.y).min() ?? 0) - reach
    let below = 40 - (places.map(\.y).max() ?? 0) - reach
    #expect(abs(left - right) < 0.1 && abs(above - below) < 0.1)
    #expect(min(left, above) >= 0 && min(left / 200, above / 40) < 0.03)
  }

  @Test func `edges in half-blocks are antialiased with translucent pixels`() async throws {
    let (_, controller) = try await viewer("caffeine")
    let pixels = try #require(controller.content.pictures.picture).pixels
    let alphas = Set(stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] })
    #expect(alphas.isSuperset(of: [0, 255]) && alphas.count > 5)
  }

  // MARK: First pictures

  @Test func `polymers are first drawn as cartoons, small molecules as balls and sticks`() async throws {
    for (document, mode) in [
      ("b-dna", RenderMode.cartoon), ("collagen", .cartoon), ("caffeine", .ballAndStick),
      ("buckminster", .ballAndStick),
    ] {
      let (_, controller) = try await viewer(document)
      #expect(controller.content.scene.mode == mode)
    }
  }

  @Test func `the first cartoon of a single chain is colored by chain`() async throws {
    let (_, controller) = try await viewer(peptide())
    #expect(controller.content.scene.mode == .cartoon && controller.content.scene.shownScheme == .chain)
  }

  @Test func `the original's first mode is available as a setting`() async throws {
    let (_, controller) = try await viewer(peptide(), settings: ["first-picture": "original"])
    #expect(controller.content.scene.mode == .ballAndStick)
    let (_, other) = try await viewer("b-dna", settings: ["first-picture": "original"])
    #expect(other.content.scene.mode == .ballAndStick)
  }

  @Test func `a cartoon shows ligands as sticks and nearby ions as balls, and hides solvent`() async throws {
    let (_, controller) = try await viewer(peptide())
    let geometry = try #require(controller.content.pictures.prepared?.scene.parts.first?.geometry)
    let radius = SceneBuilder.licoriceRadius
    #expect(geometry.sticks.sticks.map(\.radius) == [radius])
    // Two joints of the stick, and the zinc.
    #expect(geometry.levels[0].balls.map(\.w) == [radius, radius])
    let ions = geometry.ions.balls.map(\.w)
    #expect(ions.count == 1 && ions.allSatisfy { $0 > radius })
    #expect(!geometry.mesh.triangles.isEmpty)
  }

  @Test(.enabled(if: SharedData.found != nil, "the shared data is absent"))
  func `the first picture of a crystal structure or a simulation box fills the screen`() async throws {
    let folder = try #require(SharedData.found).appendingPathComponent("molecules")
    for name in ["1avg", "7ddo", "cobrotoxin", "pbc"] {
      let (driver, controller) = try await viewer(folder.appendingPathComponent(name + ".pdb.gz").path)
      #expect(controller.content.scene.mode == .cartoon)
      for keys in [[], ["r"], ["2", "6"]] as [[String]] {
        for key in keys { driver.press(key) }
        let size = try covered(controller)
        #expect(size.height >= 48 || size.width >= 90)
      }
    }
  }
}
