// swift-tools-version: 6.2
// Computes the starter molecules of the Molecules plugin; see Sources/Starters/main.swift.
import PackageDescription

let package = Package(
  name: "Starters",
  targets: [
    .executableTarget(
      name: "Starters",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ])
