package engine

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// TestCluster holds that a sweep runs on a cluster of three servers with NATS's own credentials,
// keeps three copies of everything, goes on when one of the servers is gone, and takes nobody
// without credentials.
func TestCluster(t *testing.T) {
	operator, resolver, creds, system := operatorOf(t)
	var routes []string
	for range 3 {
		routes = append(routes, "nats://"+freeAddress(t))
	}
	var servers []*server.Server
	var urls []string
	for i := range 3 {
		_, port, _ := net.SplitHostPort(strings.TrimPrefix(routes[i], "nats://"))
		o := &server.Options{
			ServerName: fmt.Sprint("server-", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
			JetStream: true, StoreDir: t.TempDir(), Routes: server.RoutesFromStr(strings.Join(routes, ",")),
			Cluster:          server.ClusterOpts{Name: "crowd", Host: "127.0.0.1"},
			TrustedOperators: []*jwt.OperatorClaims{operator}, AccountResolver: resolver, SystemAccount: system,
		}
		if _, err := fmt.Sscan(port, &o.Cluster.Port); err != nil {
			t.Fatal(err)
		}
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
	}
	for _, s := range servers {
		if !s.ReadyForConnections(20 * time.Second) {
			t.Fatal("the server does not start")
		}
		urls = append(urls, s.ClientURL())
	}
	until(t, func() bool { // one of them leads, and knows all
		return slices.ContainsFunc(servers, func(s *server.Server) bool { return len(s.JetStreamClusterPeers()) == len(servers) })
	})
	all := strings.Join(urls, ",")
	o := Options{NATS: all, Creds: creds, Replicas: 3, AckWait: 2 * time.Second}
	s := serve(t, o, process{Points: 100}.manifest())
	for _, name := range []string{points, results, dead} {
		if info, err := s.streams[name].Info(t.Context()); err != nil || info.Config.Replicas != 3 {
			t.Errorf("stream %s: got=%+v, %v, want 3 copies", name, info, err)
		}
	}
	if err := join(t, WorkOptions{Where: Where{URL: all}, Patience: time.Second}, simple)(); err == nil || !strings.Contains(err.Error(), "uthorization") {
		t.Errorf("without credentials: got=%v", err)
	}
	begun := make(chan struct{}, 1000)
	end := join(t, WorkOptions{Where: Where{Folder: s.o.Folder, Creds: creds}}, func(_ context.Context, index int64) ([]byte, bool, error) {
		begun <- struct{}{}
		time.Sleep(20 * time.Millisecond)
		return rowOf(index), false, nil
	})
	for range 20 {
		<-begun
	}
	servers[2].Shutdown()
	if err := wait(t, s); err != nil {
		t.Fatal(err)
	}
	checkRows(t, rowsOf(t, s), 100)
	if err := s.Remove(t.Context()); err != nil {
		t.Error(err)
	}
	if names := streamsOf(t, s.js); len(names) != 0 {
		t.Errorf("removed: got=%v, want no streams", names)
	}
	s.Close()
	if err := end(); err != nil {
		t.Error(err)
	}
}

func streamsOf(t *testing.T, js jetstream.JetStream) (all []string) {
	t.Helper()
	names := js.StreamNames(t.Context())
	for name := range names.Name() {
		all = append(all, name)
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// freeAddress returns an address where nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// operatorOf returns an operator who signed an account with JetStream, who knows it, a file
// with the credentials of a user of it, and the account of the system.
func operatorOf(t *testing.T) (*jwt.OperatorClaims, server.AccountResolver, string, string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	pair := func(create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		k, err := create()
		must(err)
		public, err := k.PublicKey()
		must(err)
		return k, public
	}
	operatorKey, operatorID := pair(nkeys.CreateOperator)
	accountKey, accountID := pair(nkeys.CreateAccount)
	_, systemID := pair(nkeys.CreateAccount)
	userKey, userID := pair(nkeys.CreateUser)

	operator := jwt.NewOperatorClaims(operatorID)
	operator.SystemAccount = systemID
	text, err := operator.Encode(operatorKey)
	must(err)
	operator, err = jwt.DecodeOperatorClaims(text)
	must(err)
	resolver := &server.MemAccResolver{}
	account := jwt.NewAccountClaims(accountID)
	account.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	for id, claims := range map[string]*jwt.AccountClaims{accountID: account, systemID: jwt.NewAccountClaims(systemID)} {
		text, err := claims.Encode(operatorKey)
		must(err)
		must(resolver.Store(id, text))
	}
	userText, err := jwt.NewUserClaims(userID).Encode(accountKey)
	must(err)
	seed, err := userKey.Seed()
	must(err)
	file, err := jwt.FormatUserConfig(userText, seed)
	must(err)
	creds := filepath.Join(t.TempDir(), "user.creds")
	must(os.WriteFile(creds, file, 0o600))
	return operator, resolver, creds, systemID
}
