package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// server is server.json, the entry of the MCP registry (schema of 2025-12-11).
type server struct {
	Schema      string    `json:"$schema"`
	Name        string    `json:"name"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Version     string    `json:"version"`
	Packages    []listing `json:"packages,omitempty"`
}

// listing is a package of the registry.
type listing struct {
	RegistryType string            `json:"registryType"`
	Identifier   string            `json:"identifier"`
	Version      string            `json:"version"`
	FileSHA256   string            `json:"fileSha256"`
	Transport    map[string]string `json:"transport"`
}

func readServer(path string) (s server, err error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// published is the entry with the bundle that clients fetch and check.
func (s server) published(url string, bundle []byte) server {
	sum := sha256.Sum256(bundle)
	s.Packages = []listing{{RegistryType: "mcpb", Identifier: url, Version: s.Version, FileSHA256: hex.EncodeToString(sum[:]),
		Transport: map[string]string{"type": "stdio"}}}
	return s
}
